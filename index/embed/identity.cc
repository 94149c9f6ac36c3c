#include <nlohmann/json.hpp>
#include <string>

#include "index/digest.h"
#include "index/embed/embedder.h"

namespace souvenance::index {
namespace {

void PutField(std::string_view field, std::string* out) {
  const auto size = static_cast<std::uint64_t>(field.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out->push_back(static_cast<char>((size >> shift) & 0xFF));
  }
  out->append(field);
}

}  // namespace

std::string Fingerprint(const EmbedderIdentity& identity) {
  std::string bytes;
  PutField(identity.provider, &bytes);
  PutField(identity.model, &bytes);
  PutField(identity.revision, &bytes);
  PutField(std::to_string(identity.dimension), &bytes);
  PutField(identity.document_prefix, &bytes);
  PutField(identity.query_prefix, &bytes);
  PutField(identity.tokenizer, &bytes);
  Sha256 hash;
  hash.Update(bytes);
  const auto digest = hash.Finish();
  return digest ? Hex(*digest) : std::string();
}

std::string IdentityJson(const EmbedderIdentity& identity) {
  nlohmann::ordered_json json;
  json["provider"] = identity.provider;
  json["model"] = identity.model;
  json["revision"] = identity.revision;
  json["dimension"] = identity.dimension;
  json["document_prefix"] = identity.document_prefix;
  json["query_prefix"] = identity.query_prefix;
  json["tokenizer"] = identity.tokenizer;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace souvenance::index

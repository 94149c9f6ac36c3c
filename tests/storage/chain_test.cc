// The example of docs/formats/chain.md. Every digest here was computed with Python's hashlib.
#include "storage/chain.h"

#include <gtest/gtest.h>

#include "storage/store.h"

namespace souvenance::storage {
namespace {

std::string HexOf(std::string_view bytes) {
  return Hex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

Salt Counting(std::uint8_t from) {
  Salt salt{};
  for (std::uint8_t& byte : salt) byte = from++;
  return salt;
}

const Digest kScope = Commit(Counting(0), "public");
const Digest kAgent = Commit(Counting(16), "default");
constexpr char kScopeHex[] = "c97d096bee5288e642002a343875c1c271e2abdf0c20291d059fb9832b046ae5";
constexpr char kAgentHex[] = "64f26177de4dd41e8d09bd7aa3549d54e1ed6febb34aa753ca2f8cc78154a8ce";
constexpr char kRowsHex[] = "405976d6be0cc33069b181053b0cd5e22b048bc25eb56d4918aadf7f20efc881";

std::vector<std::string> ExampleRows() {
  RowEncoder scope(ChainTable::kScopes);
  scope.Commitment(kAgent).Integer(1).Commitment(kScope);
  RowEncoder payload(ChainTable::kPayloads);
  payload.Commitment(kAgent).Commitment(kScope).Integer(5).Commitment(kScope);
  return {scope.Take(), payload.Take()};
}

TEST(Chain, CommitsToSaltAndContent) {
  EXPECT_EQ(Hex(kScope), kScopeHex);
  EXPECT_EQ(Hex(kAgent), kAgentHex);
  // FIPS 180-4: of "abc".
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Chain, EncodesARowValueByValue) {
  RowEncoder row(ChainTable::kReinforcements);
  row.Null().Integer(-2).Real(0.3).Text("é卡x").Reference(kScope, 7);
  EXPECT_EQ(HexOf(row.Take()), std::string("08") + "00" + "01fffffffffffffffe" +
                                   "023fd3333333333333" + "0300000006c3a9e58da178" + "05" +
                                   kScopeHex + "0000000000000007");
}

TEST(Chain, DigestsTheRowsInTheOrderOfTheirBytes) {
  std::vector<std::string> rows = ExampleRows();
  EXPECT_EQ(HexOf(rows[0]), std::string("0304") + kAgentHex + "01000000000000000104" + kScopeHex);
  std::vector<std::string> reversed = {rows[1], rows[0]};
  EXPECT_EQ(Hex(RowsDigest(rows)), kRowsHex);
  EXPECT_EQ(Hex(RowsDigest(reversed)), kRowsHex);
}

TEST(Chain, HashesTheWorkedExample) {
  std::vector<std::string> rows = ExampleRows();
  EventImage event;
  event.sequence = 2;
  event.kind = 1;
  event.scope = kScope;
  event.recorded_us = 1683554160000000;  // 2023-05-08T13:56:00Z
  event.rows = RowsDigest(rows);
  const std::string zeros = "00000020" + std::string(64, '0');
  EXPECT_EQ(HexOf(EncodeEvent(event)),
            std::string("0000000101") + "000000080000000000000002" + "0000000101" + "00000020" +
                kScopeHex + "000000080005fb2effaabc00" + zeros + zeros + "00000020" + kRowsHex);
  EXPECT_EQ(Hex(EventHash(Sha256("previous"), event)),
            "e65d05a3afbc5965cf54ccf73409406506f75863dac2f508581000a0c1657457");
}

}  // namespace
}  // namespace souvenance::storage

# Import readers, measures, the sample and the READMEs.
find_package(OpenSSL REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Readers and measures are compiled into their own tests: these need no store.
set(ingest_sources
  ${PROJECT_SOURCE_DIR}/engine/ingest/beir_reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/chat_reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/field_reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/import_sink.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/json_value.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/jsonl_reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/locomo_reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/reader.cc
  ${PROJECT_SOURCE_DIR}/engine/ingest/text_source.cc
  ${PROJECT_SOURCE_DIR}/storage/sha256.cc)
set(eval_sources
  ${PROJECT_SOURCE_DIR}/engine/eval/ranking.cc
  ${PROJECT_SOURCE_DIR}/engine/eval/score.cc
  ${PROJECT_SOURCE_DIR}/engine/eval/trec.cc)

souvenance_test(NAME engine_reader LABEL unit
  SOURCES reader_test.cc reader_formats_test.cc sample_test.cc ${ingest_sources}
  LIBS souvenance::vocab OpenSSL::Crypto nlohmann_json::nlohmann_json)
target_include_directories(engine_reader_test PRIVATE ${PROJECT_SOURCE_DIR}/engine/include)

souvenance_test(NAME engine_eval_score LABEL unit
  SOURCES eval_score_test.cc eval_trec_test.cc ${eval_sources}
  LIBS souvenance::vocab)
target_include_directories(engine_eval_score_test PRIVATE ${PROJECT_SOURCE_DIR}/engine/include)

# Random runs, scored here and by an independent program.
add_executable(score_printer score_printer.cc ${eval_sources})
target_include_directories(score_printer PRIVATE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/engine/include)
target_link_libraries(score_printer PRIVATE souvenance::vocab souvenance_flags)
add_dependencies(souvenance_tests_unit score_printer)
add_test(NAME engine_score_oracle
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/score_oracle.py
          $<TARGET_FILE:score_printer>)
set_tests_properties(engine_score_oracle PROPERTIES LABELS unit TIMEOUT 600)

# The example of both READMEs is this program, and their package list the one of tools/packages.
add_test(NAME readme
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/readme_test.py ${PROJECT_SOURCE_DIR})
set_tests_properties(readme PROPERTIES LABELS unit)
if(TARGET souvenance::engine)
  add_executable(readme_example readme_example.cc)
  target_link_libraries(readme_example PRIVATE souvenance::engine souvenance_flags)
  add_dependencies(souvenance_tests_integration readme_example)
  add_test(NAME readme_example
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/readme_example_test.py
            $<TARGET_FILE:readme_example>)
  set_tests_properties(readme_example PROPERTIES LABELS integration)
endif()

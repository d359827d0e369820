# The one integration test that reads the journal directly instead of through the server.
add_executable(journal_writer ${CMAKE_CURRENT_LIST_DIR}/journal_writer.cpp)
target_link_libraries(journal_writer PRIVATE oriel_journal)

add_executable(journal_recovery_test ${CMAKE_CURRENT_LIST_DIR}/journal_recovery_test.cpp)
target_compile_definitions(journal_recovery_test
  PRIVATE ORIEL_JOURNAL_WRITER="$<TARGET_FILE:journal_writer>")
target_link_libraries(journal_recovery_test
  PRIVATE oriel_journal integration_harness GTest::gmock_main)
add_dependencies(journal_recovery_test journal_writer)
oriel_precompiles_tests(journal_recovery_test)
oriel_discover_tests(journal_recovery_test LABEL journal TIMEOUT 120)

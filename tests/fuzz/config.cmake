# The config file and the quantities in it. Seeds: corpus/config.
add_executable(fuzz_config ${CMAKE_CURRENT_LIST_DIR}/fuzz_config.cpp)
target_link_libraries(fuzz_config PRIVATE oriel_app)
target_link_options(fuzz_config PRIVATE -fsanitize=fuzzer)

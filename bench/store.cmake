find_package(benchmark REQUIRED)
add_executable(store_bench ${CMAKE_CURRENT_LIST_DIR}/store_bench.cpp)
target_link_libraries(store_bench PRIVATE oriel_mcp benchmark::benchmark)

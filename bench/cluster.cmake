add_executable(cluster_bench ${CMAKE_CURRENT_LIST_DIR}/cluster_bench.cpp)
target_link_libraries(cluster_bench PRIVATE oriel_cluster)

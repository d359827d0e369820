# Registers each gtest case of a program with CTest, with requirement ids in their own spelling:
# TEST(R_SSE_1, StreamIsHeldOpen) becomes "R-SSE-1.StreamIsHeldOpen", so `ctest -R R-SSE` works.
set(ORIEL_LIST_TESTS ${CMAKE_CURRENT_LIST_DIR}/list_tests.cmake)

function(oriel_discover_tests target)
  cmake_parse_arguments(ARG "" "TIMEOUT;LABEL" "" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  add_custom_command(
    TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DOUTPUT=${list}
            -DTIMEOUT=${ARG_TIMEOUT} -DLABEL=${ARG_LABEL} -P ${ORIEL_LIST_TESTS}
    BYPRODUCTS ${list} VERBATIM)
  # A program that is not built has no list.
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  file(WRITE ${include} "include([=[${list}]=] OPTIONAL)\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

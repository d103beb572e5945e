# find_package(Fermata): tests of a CMake project under `fermata test`.
#
#   find_package(Fermata)
#   fermata_add_test(NAME queue TARGET queue_test [ARGS 3 …] [OPTIONS --max-time 30 …] [PROVE])
#
# The test runs where the project is configured with the compiler wrapper: -DCMAKE_TOOLCHAIN_FILE=
# ${Fermata_TOOLCHAIN_FILE}, or CC=fermata-cc CXX=fermata-c++ in the environment of a fresh build
# folder. In other build folders fermata_add_test adds nothing, so one CMakeLists.txt serves both.
# PROVE fails the test if the result is not a proof.

get_filename_component(_fermata_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_program(Fermata_EXECUTABLE fermata HINTS "${_fermata_prefix}/bin")
set(Fermata_TOOLCHAIN_FILE "${CMAKE_CURRENT_LIST_DIR}/fermata-toolchain.cmake")
set(Fermata_INCLUDE_DIR "${_fermata_prefix}/include")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Fermata REQUIRED_VARS Fermata_EXECUTABLE
  VERSION_VAR Fermata_VERSION)

set(Fermata_IS_COMPILER FALSE)
foreach(_fermata_compiler "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
  if(_fermata_compiler MATCHES "fermata-c(c|\\+\\+)$")
    set(Fermata_IS_COMPILER TRUE)
  endif()
endforeach()

function(fermata_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "PROVE" "NAME;TARGET" "ARGS;OPTIONS")
  if(NOT arg_NAME OR NOT arg_TARGET OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fermata_add_test(NAME name TARGET target [ARGS …] [OPTIONS …] [PROVE])")
  endif()
  if(NOT Fermata_IS_COMPILER)
    return()
  endif()
  if(arg_PROVE)
    list(APPEND arg_OPTIONS --require-proof)
  endif()
  add_test(NAME "fermata.${arg_NAME}" COMMAND "${Fermata_EXECUTABLE}" test
    --out "${CMAKE_BINARY_DIR}/fermata" --junit "${CMAKE_BINARY_DIR}/fermata/${arg_NAME}.xml"
    --sarif "${CMAKE_BINARY_DIR}/fermata/${arg_NAME}.sarif" ${arg_OPTIONS}
    -- "$<TARGET_FILE:${arg_TARGET}>" ${arg_ARGS}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties("fermata.${arg_NAME}" PROPERTIES LABELS fermata)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/fermata")
endfunction()

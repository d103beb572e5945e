# cmake -B build-fermata --toolchain PREFIX/share/cmake/Fermata/fermata-toolchain.cmake
#
# Compiles with fermata-cc and fermata-c++. FERMATA_CC=clang in the environment chooses the compiler
# that they call.
get_filename_component(_fermata_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
find_program(_fermata_cc fermata-cc HINTS "${_fermata_bin}" REQUIRED)
find_program(_fermata_cxx fermata-c++ HINTS "${_fermata_bin}" REQUIRED)
set(CMAKE_C_COMPILER "${_fermata_cc}")
set(CMAKE_CXX_COMPILER "${_fermata_cxx}")

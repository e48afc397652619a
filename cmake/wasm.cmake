# Toolchain: clang for WebAssembly with wasi-libc, 128-bit SIMD, no threads.
set( CMAKE_SYSTEM_NAME Generic )
set( CMAKE_SYSTEM_PROCESSOR wasm32 )
find_program( CMAKE_C_COMPILER NAMES clang-14 clang REQUIRED )
find_program( CMAKE_AR NAMES llvm-ar-14 llvm-ar )
find_program( CMAKE_RANLIB NAMES llvm-ranlib-14 llvm-ranlib )
set( CMAKE_C_COMPILER_TARGET wasm32-wasi )
set( CMAKE_C_FLAGS_INIT -msimd128 )
# A program would need an entry point and imports; the library needs neither.
set( CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY )

/* What Wine 8 lacks and every program of Rust needs: a library with the one function that fills memory with
   random bytes. docs/authors/releasing.md says how it is built and found. */
#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *bytes, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t length) {
    return SystemFunction036(bytes, (unsigned long)length);
}

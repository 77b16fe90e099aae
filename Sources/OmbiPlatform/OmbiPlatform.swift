// `import OmbiPlatform` is enough for the C library, whichever this system has.
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#else
@_exported import Darwin
#endif

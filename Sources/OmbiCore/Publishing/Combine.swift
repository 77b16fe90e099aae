// One import gives a consumer the publishers: Combine where there is one, OpenCombine elsewhere.
#if canImport(Combine)
@_exported import Combine
#else
@_exported @preconcurrency import OpenCombine
@_exported @preconcurrency import OpenCombineDispatch
#endif

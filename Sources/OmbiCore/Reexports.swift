// `import OmbiCore` is enough to describe and send requests: it includes the types in the library's own interface.
// Publishers come from Combine, or from OpenCombine elsewhere; `URL`, `Data`, `URLQueryItem` and `JSONDecoder` from
// FoundationEssentials, which, unlike Foundation, hardly affects launch time. All its files see them by this one.
@_exported import Dispatch

#if canImport(Combine)
@_exported import Combine
#else
@_exported @preconcurrency import OpenCombine
@_exported @preconcurrency import OpenCombineDispatch
#endif

#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// `localizedDescription` of an error comes from Foundation, which uses `LocalizedError`; the protocol alone is in
// FoundationEssentials. A program without Foundation uses the member of the same name of each type, or prints it.

extension MalformedRequest: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension CodingFailure: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension TransportError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension HTTPError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension ResponseMismatch: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension BodyStreamError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension UnreadableFile: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

extension MissingBody: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
    /// The same as `description`.
    public var localizedDescription: String { description }
}

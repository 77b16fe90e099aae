internal import OmbiBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The size limits and storage of responses: the common part of the transports' configurations.
package struct ResponseLimits: Sendable, Hashable {
    package var maximumBytes: Int
    package var memoryLimit: Int
    package var memoryBudget: MemoryBudget
    package var temporaryFolder: String

    package init(maximumBytes: Int, memoryLimit: Int, memoryBudget: MemoryBudget, temporaryFolder: String) {
        self.maximumBytes = maximumBytes
        self.memoryLimit = memoryLimit
        self.memoryBudget = memoryBudget
        self.temporaryFolder = temporaryFolder
    }

    /// The value of `TMPDIR`, or `/tmp`.
    package static var defaultTemporaryFolder: String {
        guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
        return String(cString: folder)
    }
}

extension ResponseStore {
    /// Creates a store for at most `capacity` bytes, within the limits.
    package convenience init(capacity: Int, limits: ResponseLimits) {
        self.init(
            capacity: min(capacity, limits.maximumBytes), memoryLimit: limits.memoryLimit, budget: limits.memoryBudget,
            temporaryFolder: limits.temporaryFolder)
    }
}

/// Responses that may go on for as long as the server likes, recognised by their Content-Type.
package enum OpenEndedResponse {
    private static let types = ["text/event-stream", "multipart/x-mixed-replace"]

    /// True for a stream, and for the answer to the handshake of a WebSocket.
    package static func follows(_ head: ResponseHead?) -> Bool {
        head?.statusCode == 101 || isAnnounced(by: head?.headers)
    }

    package static func isAnnounced(by headers: RequestHeaders?) -> Bool {
        guard let type = headers?[.contentType].map({ String(MediaType.essence(of: $0.text)) }) else { return false }
        return types.contains(type) || JSONStreamType.matches(type)
    }
}

/// The limits that end with the head of an open-ended response: those that nobody has chosen for it.
package struct LiftedLimits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `TransportRequest.attemptTimeout`.
    package static let attemptTimeout = LiftedLimits(rawValue: 1)
    /// The limit over all attempts of a run.
    package static let sla = LiftedLimits(rawValue: 2)
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a user needs to approve a device without a browser (RFC 8628 §3.2): show the address and the code.
public struct OAuth2DeviceAuthorization: Sendable, Hashable {
    /// Identifies the device at the token endpoint; not to be shown.
    public let deviceCode: String
    /// What the user types in.
    public let userCode: String
    /// Where the user types it in.
    public let verificationURI: URL
    /// The same address with the code in it, for a QR code; nil where the server has none.
    public let completeVerificationURI: URL?
    /// When the codes expire.
    public let expiresAt: Date
    /// The time between two polls at least.
    public let interval: Duration

    /// For tests.
    public init(
        deviceCode: String, userCode: String, verificationURI: URL, completeVerificationURI: URL? = nil,
        expiresAt: Date, interval: Duration = .seconds(5)
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.completeVerificationURI = completeVerificationURI
        self.expiresAt = expiresAt
        self.interval = interval
    }
}

extension OAuth2DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// "enter WDJB-MJHT at https://id.example.com/device"
    public var description: String { "enter \(userCode) at \(verificationURI.absoluteString)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Everything but the device code.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2Client {
    /// Asks for the codes of a device (RFC 8628 §3.1).
    public func authorizeDevice(scopes: [String] = []) async throws(OAuth2Error) -> OAuth2DeviceAuthorization {
        guard let devicePath else {
            throw OAuth2Error(.notConfigured, details: "set devicePath to the device authorization endpoint")
        }
        let scope = OAuth2Grant.text(scopes).map { [RequestParameters.Parameter("scope", .string($0))] } ?? []
        let response = try await send(RequestParameters(scope + additionalParameters.allParameters), to: devicePath)
        return try OAuth2Answer(response).deviceAuthorization(receivedAt: now())
    }

    /// Polls until the user has approved the device (RFC 8628 §3.5): as often as the server allows, more rarely when it
    /// says so or cannot be reached. Throws `accessDenied` when the user says no, and `expired` when time is over.
    public func token(for device: OAuth2DeviceAuthorization) async throws(OAuth2Error) -> OAuth2Token {
        var interval = device.interval
        while true {
            do {
                try await clock.sleep(for: interval)
            } catch {
                throw OAuth2Error(.cancelled)
            }
            guard now() < device.expiresAt else { throw OAuth2Error(.expired) }
            do throws(OAuth2Error) {
                return try await token(for: .deviceCode(device.deviceCode))
            } catch {
                switch error.code {
                case .authorizationPending: continue
                case .slowDown: interval += .seconds(5)
                case .requestFailed where error.isTransient: interval = min(interval * 2, .seconds(300))
                default: throw error
                }
            }
        }
    }
}

extension OAuth2Error {
    /// Whether the same request may fare better later: the network failed, or the server did not answer the question.
    var isTransient: Bool {
        switch cause {
        case let error as HTTPError: RetryPolicy.transientStatusCodes.contains(error.statusCode)
        case let error as RequestError<NoError>:
            switch error {
            case .connectionError(let error): error.code.isTransient
            case .timedOut, .slaExceeded: true
            default: false
            }
        default: false
        }
    }
}

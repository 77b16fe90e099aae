#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A pending authorization of a device without a browser (RFC 8628 §3.2). Show the user its address and code.
public struct OAuth2DeviceAuthorization: Sendable, Hashable {
    /// The secret that identifies the device at the token endpoint.
    public let deviceCode: String
    /// The code that the user enters.
    public let userCode: String
    /// The page where the user enters the code.
    public let verificationURI: URL
    /// The same page with the code included, for a QR code; nil if the server offers none.
    public let completeVerificationURI: URL?
    /// The expiry of both codes.
    public let expiresAt: Date
    /// The minimum time between polls.
    public let interval: Duration

    /// Creates a device authorization, for tests.
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
    /// The description; the device code is omitted.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension OAuth2Client {
    /// Requests the codes for a device (RFC 8628 §3.1).
    public func authorizeDevice(scopes: [String] = []) async throws(OAuth2Error) -> OAuth2DeviceAuthorization {
        guard let devicePath else {
            throw OAuth2Error(.notConfigured, details: "set devicePath to the device authorization endpoint")
        }
        let scope = OAuth2Grant.text(scopes).map { [RequestParameters.Parameter("scope", .string($0))] } ?? []
        let parameters = RequestParameters(scope + additionalParameters.allParameters)
        let now = now
        return try await send(parameters, to: devicePath) { response throws(OAuth2Error) in
            try response.deviceAuthorization(receivedAt: now())
        }
    }

    /// Polls until the user approves the device (RFC 8628 §3.5). The interval grows by 5 s after `slow_down`, and doubles
    /// when the server cannot be reached. Throws `accessDenied` if the user declines, and `expired` after the codes expire.
    public func token(for device: OAuth2DeviceAuthorization) async throws(OAuth2Error) -> OAuth2Token {
        var interval = device.interval
        while true {
            let left = Duration.seconds(max(device.expiresAt.timeIntervalSince(now()), 0))
            do {
                try await clock.sleep(for: min(interval, left))
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
    /// Returns true for failures of the network and transient statuses, which polling outlasts.
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

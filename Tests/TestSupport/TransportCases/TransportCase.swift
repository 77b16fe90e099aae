import OmbiCore

/// A case that every transport is held to: what a server does, what is requested, and what is to be observed.
///
/// A case writes what it observes as lines of text. A transport that cannot do the same names the case in a table of
/// differences, with its reason and with its own lines, so that what differs is written down and tested, too.
public struct TransportCase: Sendable {
    public let name: String
    /// It is about connections, times or broken responses, which a transport without a network does not have.
    public let needsNetwork: Bool
    public let needs: Set<Feature>
    /// What the case observes, line by line.
    public let expected: [String]
    private let play: @Sendable (Stage) async throws -> Void

    /// What a transport may not have yet.
    public enum Feature: Sendable {
        case redirects, settings, idleTimeout, pieces, partialResponse, words
    }

    init(
        _ name: String, needsNetwork: Bool = false, needs: Set<Feature> = [], expects expected: [String],
        play: @escaping @Sendable (Stage) async throws -> Void
    ) {
        self.name = name
        self.needsNetwork = needsNetwork
        self.needs = needs
        self.expected = expected
        self.play = play
    }

    /// Plays the case on a transport of its own. Returns what was observed.
    public func observe(on subject: TransportSubject) async throws -> [String] {
        let stage = Stage(subject)
        defer { stage.stopServers() }
        try await play(stage)
        return stage.lines
    }

    public static let all: [TransportCase] =
        MethodCases.all + HeaderCases.all + BodyCases.all + StatusCases.all + RedirectCases.all + CookieCases.all
        + FailureCases.all
        + TimeoutCases.all + CancelCases.all + ConnectionCases.all + DeliveryCases.all + ManagerCases.all
}

extension TransportCase: CustomStringConvertible {
    public var description: String { name }
}

/// A transport that the cases are played on.
public struct TransportSubject: Sendable, CustomStringConvertible {
    public let description: String
    /// nil for a transport without a network, which gets the server's function instead.
    let make: (@Sendable (_ maximumResponseBytes: Int?) -> any Transport)?

    /// - Parameter make: Makes a transport with that limit; nil for its default.
    public init(_ name: String, make: @escaping @Sendable (_ maximumResponseBytes: Int?) -> any Transport) {
        description = name
        self.make = make
    }

    private init() {
        description = "stub"
        make = nil
    }

    /// `StubTransport`, answering with the function of the case's server.
    public static let stub = TransportSubject()
}

/// How a transport differs in one case.
public struct TransportDifference: Sendable {
    /// The name of the case.
    public let name: String
    public let reason: String
    /// What is observed instead.
    public let lines: [String]

    public init(_ name: String, because reason: String, _ lines: [String]) {
        self.name = name
        self.reason = reason
        self.lines = lines
    }
}

/// A set of phases of an attempt.
package struct PhaseSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ phase: RequestPhase) {
        self =
            switch phase {
            case .queue: .queue
            case .resolve: .resolve
            case .connect: .connect
            case .tls: .tls
            case .send: .send
            case .wait: .wait
            case .receive: .receive
            }
    }

    package static let resolve = PhaseSet(rawValue: 1)
    package static let connect = PhaseSet(rawValue: 2)
    package static let tls = PhaseSet(rawValue: 4)
    package static let send = PhaseSet(rawValue: 8)
    package static let wait = PhaseSet(rawValue: 16)
    package static let receive = PhaseSet(rawValue: 32)
    package static let queue = PhaseSet(rawValue: 64)
}

/// Some of the phases of an attempt.
struct PhaseSet: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ phase: RequestPhase) {
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

    static let resolve = PhaseSet(rawValue: 1)
    static let connect = PhaseSet(rawValue: 2)
    static let tls = PhaseSet(rawValue: 4)
    static let send = PhaseSet(rawValue: 8)
    static let wait = PhaseSet(rawValue: 16)
    static let receive = PhaseSet(rawValue: 32)
    static let queue = PhaseSet(rawValue: 64)
}

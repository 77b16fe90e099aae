import OmbiTerminal

/// The waiting for the next key of a chord, which every program on the screen does alike.
extension Action {
    var isRelease: Bool { if case .mouse(.release) = self { true } else { false } }

    /// The keys so far; empty when none is waited for.
    var begunKeys: [Key] {
        if case .app(.chord(let keys)) = self { keys } else { [] }
    }

    /// The notice that a chord has ended without a meaning.
    var chordNotice: Notice? {
        guard case .app(.endChord(let keys)) = self else { return nil }
        let begun = Key.names(of: keys.dropLast())
        guard keys.last != Key(.escape) else { return Notice(.info, "\(begun) cancelled") }
        return Notice(.info, "\(Key.names(of: keys)) is not bound")
    }
}

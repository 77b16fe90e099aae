/// The meaning of a text on the screen. Panes set roles; `Theme` alone decides their look.
package enum Role: UInt8, CaseIterable, Sendable {
    case plain, dim, title, border, focusedBorder
    /// A name in a JSON object.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    case punctuation
    /// Colours that tell kinds apart; their meanings are up to the program.
    case red, green, yellow, blue, magenta, cyan, brightGreen, brightBlue
    /// Set apart by weight where there is no palette of 256 colours.
    case strong
    case success, warning, failure, running, info
    /// A part of only the newer, or only the older, of two bodies.
    case added, removed
    /// A part of a text that something else replaces.
    case placeholder
    case footerKey
    /// A search match.
    case match
    case gauge, gaugeEmpty
    /// A warning, which must not be overlooked.
    case alarm
}

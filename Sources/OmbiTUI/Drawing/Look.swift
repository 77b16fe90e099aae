/// How a cell looks: palette numbers and traits. A colour that is nil is the terminal's own, so that light and dark
/// backgrounds both stay as their owner chose them.
struct Look: Equatable, Sendable {
    var foreground: UInt8?
    var background: UInt8?
    var traits: Traits = []
}

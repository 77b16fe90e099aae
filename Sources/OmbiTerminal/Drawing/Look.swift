/// The look of a cell: palette numbers and traits. A nil colour is the terminal's own, so that light and dark
/// backgrounds both stay as the user chose them.
struct Look: Equatable, Sendable {
    var foreground: UInt8?
    var background: UInt8?
    var traits: Traits = []
}

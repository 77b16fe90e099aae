/// Mouse reports: xterm's SGR form (mode 1006) and the old form of three bytes (mode 1000).
extension KeyDecoder {
    static func mouse(_ sequence: ControlSequence) -> Mouse {
        mouse(
            code: sequence.number(0, default: 0), column: sequence.number(1), row: sequence.number(2),
            isRelease: sequence.final == 0x6D)
    }

    static func oldMouse(_ bytes: ArraySlice<UInt8>) -> InputEvent? {
        let values = bytes.map { Int($0) - 32 }
        guard values.count == 3, values[0] >= 0 else { return nil }
        let isRelease = values[0] & 0x43 == 3
        return .mouse(mouse(code: values[0], column: values[1], row: values[2], isRelease: isRelease))
    }

    /// Low bits: the button; 4 shift, 8 alt, 16 control; 32 moved; 64 a wheel; 128 further buttons.
    private static func mouse(code: Int, column: Int, row: Int, isRelease: Bool) -> Mouse {
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let position = Point(column: max(0, column - 1), row: max(0, row - 1))
        if code & 64 != 0 {
            let wheels: [Mouse.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
            return Mouse(wheels[code & 3], position: position, modifiers: modifiers)
        }
        let buttons: [Mouse.Button] = [.left, .middle, .right, .none]
        let kind: Mouse.Kind = isRelease ? .release : code & 32 != 0 ? .drag : .press
        return Mouse(
            kind, button: code & 128 != 0 ? .other : buttons[code & 3], position: position, modifiers: modifiers)
    }
}

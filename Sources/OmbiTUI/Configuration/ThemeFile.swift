/// A theme that a user has written: a built-in one, with other colours for some roles.
struct ThemeFile: Equatable, Sendable {
    /// Nil when the file could not be read at all.
    var theme: ThemeChoice?
    var problems: [Problem]

    init(_ bytes: [UInt8], file: String) {
        (theme, problems) = ObjectFile.read(bytes, file: file, as: Self.theme)
    }

    private static func theme(_ object: ObjectReader) -> ThemeChoice {
        var theme = ThemeChoice(.dark)
        Setting.read(settings, of: object, into: &theme)
        return theme
    }

    /// The theme whose other colours count comes first.
    static var settings: [Setting<ThemeChoice>] {
        let color: JSONValue = ["$ref": "#/$defs/color"]
        let roles = JSONValue.object(Role.allCases.map { .init($0.name, color) })
        return [
            .schemaLocation,
            Setting(
                "base", "The theme whose other colours count.", ["enum": ["dark", "light"], "default": "dark"]
            ) { $0 = ThemeChoice(base($1)) },
            Setting("highlight", "The background of the row under the cursor.", color) { theme, object in
                if let value = object.value("highlight") { theme.highlight = Self.color(value) ?? nil }
            },
            Setting(
                "roles", "Colours by what a text means.",
                ["type": "object", "additionalProperties": false, "properties": roles]
            ) { theme, object in if let roles = object.object("roles") { read(roles, into: &theme) } },
        ]
    }

    private static func read(_ roles: ObjectReader, into theme: inout ThemeChoice) {
        roles.warnOfUnknown(besides: Role.allCases.map(\.name))
        for role in Role.allCases {
            guard let value = roles.value(role.name), let color = color(value) else { continue }
            theme.set(role, to: color)
            warnOfContrast(of: role, in: theme, value)
        }
    }

    private static func base(_ object: ObjectReader) -> ThemeChoice.Base {
        let name = object.string("base") ?? "dark"
        guard let base = ThemeChoice.Base(rawValue: name), [.dark, .light].contains(base) else {
            object.error("base", "expected \"dark\" or \"light\", found \"\(name)\"")
            return .dark
        }
        return base
    }

    /// A colour: `#rrggbb`, the number of one in the palette of 256, a name, or `default` for the terminal's own, which gives
    /// a nil in it. Nil when it is none.
    private static func color(_ value: FileValue) -> UInt8?? {
        if let digits = value.digits, let number = UInt8(digits) { return number }
        let text = value.string ?? ""
        if text == "default" { return .some(nil) }
        if let number = PaletteColor.names.firstIndex(of: text) { return UInt8(number) }
        if text.utf8.count == 7, text.hasPrefix("#"), let rgb = UInt32(text.dropFirst(), radix: 16) {
            return PaletteColor.nearest(
                to: RGB(UInt8(rgb >> 16), UInt8(rgb >> 8 & 0xFF), UInt8(rgb & 0xFF)))
        }
        value.log.error(
            at: value.offset,
            "expected a colour: \"#rrggbb\", a number from 0 to 255, \"default\" or a name"
                + Spelling.hint(for: text, in: PaletteColor.names))
        return nil
    }

    private static func warnOfContrast(of role: Role, in theme: ThemeChoice, _ value: FileValue) {
        let wanted = role == .border ? Contrast.line : Contrast.text
        guard let contrast = theme.contrast(of: role), contrast < wanted else { return }
        let (whole, tenths) = (Int(contrast * 10) / 10, Int(contrast * 10) % 10)
        value.log.warning(
            at: value.offset,
            "\"\(role.name)\" has a contrast of \(whole).\(tenths):1; from \(wanted):1 on it is easy to read")
    }
}

extension Role {
    /// The name in themes: that of the case, but for the keys of the footer.
    var name: String { self == .footerKey ? "keyHint" : String(describing: self) }
}

/// Reads the keys of settings: for each scope an object of action names with their keys.
struct KeySettings {
    /// Keys as they stand in the file.
    private struct Entry {
        let binding: Binding
        var sequences: [(keys: [Key], offset: Int)]
        let offset: Int

        var name: String { binding.action.name ?? "" }
    }

    private let keymap: Keymap
    private let scopes = KeyScope.allCases.filter(\.isConfigurable)

    /// - Parameter keymap: the keymap that is to be changed.
    init(over keymap: Keymap) { self.keymap = keymap }

    /// Returns the changes that are right, and logs a problem for each that is not.
    func read(_ object: ObjectReader) -> [KeyChange] {
        object.warnOfUnknown(besides: ["preset"] + scopes.map(\.rawValue))
        let parts = scopes.compactMap { scope in object.object(scope.rawValue).map { (scope: scope, object: $0) } }
        let read = parts.flatMap { changes(in: $0.scope, of: $0.object) }
        let changed = keymap.changed(by: read)
        for part in parts { warnOfLosses(in: part.scope, of: part.object, changed) }
        return read
    }

    static var schema: JSONValue {
        let scopes = KeyScope.allCases.filter(\.isConfigurable).map { scope in
            JSONValue.Member(
                scope.rawValue,
                [
                    "type": "object", "description": .string(scope.title), "additionalProperties": false,
                    "properties": .object(actions(of: scope)),
                ])
        }
        let preset: JSONValue = ["enum": ["default", "vim"], "description": "The keys that the others change."]
        return [
            "type": "object", "additionalProperties": false,
            "properties": .object([JSONValue.Member("preset", preset)] + scopes),
        ]
    }

    private static func actions(of scope: KeyScope) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        for binding in Keymap.standard.bindings where binding.scope == scope {
            guard let name = binding.action.name, !members.contains(where: { $0.key == name }) else { continue }
            members.append(.init(name, ["description": .string(binding.label), "$ref": "#/$defs/keys"]))
        }
        return members
    }

    private func changes(in scope: KeyScope, of object: ObjectReader) -> [KeyChange] {
        let names = keymap.bindings.filter { $0.scope == scope }.compactMap(\.action.name)
        object.warnOfUnknown(besides: names)
        var entries: [Entry] = []
        for (name, value) in object.entries {
            guard let binding = keymap.binding(named: name, in: scope),
                let sequences = sequences(value, in: scope)
            else { continue }
            var entry = Entry(binding: binding, sequences: sequences, offset: value.offset)
            entry.sequences.removeAll { reportConflict(of: $0, with: entries, object.log) }
            if entry.sequences.isEmpty, !sequences.isEmpty { continue }
            if entry.sequences.isEmpty, binding.action == .leave || binding.action == .app(.quit) {
                object.log.error(at: entry.offset, "\"\(name)\" needs a key, or there is no way out")
                continue
            }
            entries.append(entry)
        }
        return entries.map {
            KeyChange(scope: scope, action: $0.binding.action, sequences: $0.sequences.map(\.keys))
        }
    }

    // MARK: Keys

    /// The keys of an action; nil when the value is wrong.
    private func sequences(_ value: FileValue, in scope: KeyScope) -> [(keys: [Key], offset: Int)]? {
        switch value.kind {
        case .null: return []
        case .string: return value.string == "" ? [] : keys(value, in: scope).map { [($0, value.offset)] }
        case .array:
            let elements = value.elements
            let read = elements.compactMap { element in keys(element, in: scope).map { ($0, element.offset) } }
            return read.isEmpty && !elements.isEmpty ? nil : read
        case .object, .number, .true, .false:
            value.log.error(at: value.offset, "expected a key, an array of keys or null, found \(value.kindName)")
            return nil
        }
    }

    private func keys(_ value: FileValue, in scope: KeyScope) -> [Key]? {
        guard let text = value.string else {
            value.log.error(at: value.offset, "expected a key in quotes, found \(value.kindName)")
            return nil
        }
        var keys: [Key] = []
        for word in text.split(separator: " ") {
            guard let key = Key(name: String(word)) else {
                value.log.error(
                    at: value.offset,
                    "\"\(word)\" is not a key; write one such as g, G, Ctrl+X, Alt+Left, F5, Space or Enter, and several "
                        + "for a chord: \"g g\"")
                return nil
            }
            keys.append(key.withoutShiftedLetter)
        }
        guard let first = keys.first else {
            value.log.error(at: value.offset, "no key; write Space for the space bar, and null for no key at all")
            return nil
        }
        if scope.takesText, first.isTyped {
            value.log.error(
                at: value.offset, "\(first.name) is typed as text in \(scope.rawValue); take a key with Ctrl or Alt")
            return nil
        }
        for key in keys { key.obstacle.map { value.log.warning(at: value.offset, "\(key.name): \($0)") } }
        return keys
    }

    // MARK: Conflicts

    /// Reports keys that an entry before has already; returns true when there are some.
    private func reportConflict(
        of sequence: (keys: [Key], offset: Int), with entries: [Entry], _ log: ProblemLog
    ) -> Bool {
        for entry in entries {
            guard let other = entry.sequences.first(where: { Keymap.collide($0.keys, sequence.keys) }) else { continue }
            let place = log.position(of: other.offset)
            let verb = other.keys == sequence.keys ? "is" : "collides with \(Key.names(of: other.keys)),"
            log.error(
                at: sequence.offset,
                "\(Key.names(of: sequence.keys)) \(verb) \"\(entry.name)\" already (\(place.line):\(place.column))")
            return true
        }
        return false
    }

    /// Warns of actions that lose their last key, and of keys that a pane hides.
    private func warnOfLosses(in scope: KeyScope, of object: ObjectReader, _ changed: Keymap) {
        for (name, value) in object.entries {
            guard let binding = changed.binding(named: name, in: scope) else { continue }
            for keys in binding.sequences {
                for lost in lost(to: keys, in: scope, changed) {
                    object.log.warning(
                        at: value.offset,
                        "\(Key.names(of: keys)) was \"\(lost.action.name ?? "")\", which has no key now")
                }
                if let hiding = hiding(keys, in: scope, changed) {
                    let name = hiding.action.name ?? ""
                    object.log.warning(
                        at: value.offset,
                        "\(Key.names(of: keys)) is \"\(name)\" in \(hiding.scope.rawValue), which comes first there")
                }
            }
        }
    }

    private func lost(to keys: [Key], in scope: KeyScope, _ changed: Keymap) -> [Binding] {
        zip(keymap.bindings, changed.bindings).filter { old, new in
            new.scope == scope && new.sequences.isEmpty && old.sequences.contains { Keymap.collide($0, keys) }
        }.map(\.1)
    }

    /// The binding of a pane that a key of all panes does not get past.
    private func hiding(_ keys: [Key], in scope: KeyScope, _ changed: Keymap) -> Binding? {
        guard scope == .everywhere || scope == .lists else { return nil }
        return changed.bindings.first { binding in
            binding.scope != scope && (binding.scope.isPane || binding.scope == .lists && scope == .everywhere)
                && binding.sequences.contains { Keymap.collide($0, keys) }
        }
    }
}

extension Key {
    /// A letter with Shift is the upper-case letter for a terminal.
    fileprivate var withoutShiftedLetter: Key {
        guard case .character(let letter) = code, modifiers == .shift, let upper = letter.uppercased().first else {
            return self
        }
        return Key(.character(upper))
    }

    /// True for a key that inserts itself where text is edited.
    fileprivate var isTyped: Bool {
        if case .character = code { modifiers.subtracting(.shift).isEmpty } else { false }
    }

    /// The reason why the key may never arrive; nil when there is none.
    fileprivate var obstacle: String? {
        if modifiers.contains(.control), !modifiers.contains(.alt), case .character(let letter) = code {
            switch letter {
            case "h": return "terminals send it as Backspace"
            case "i": return "terminals send it as Tab"
            case "j", "m": return "terminals send it as Enter"
            case "s", "q": return "some terminals keep it to stop and resume the output"
            default: return nil
            }
        }
        let plain: [Code] = [.enter, .tab, .backspace, .escape]
        return modifiers.contains(.control) && plain.contains(code)
            ? "most terminals send it without Ctrl" : nil
    }
}

/// A key of a file of settings: what a value may be, and what follows from it. Reading, unknown keys, the JSON schema and the
/// table in docs/configuration.md come from a list of these.
struct Setting<Target> {
    let key: String
    /// The description in the schema and in the table.
    let help: String
    private let form: () -> JSONValue
    private let read: (inout Target, ObjectReader) -> Void

    /// - Parameters:
    ///   - form: the schema of a value, without its description.
    ///   - read: called if the file has the key.
    init(
        _ key: String, _ help: String, _ form: @autoclosure @escaping () -> JSONValue,
        read: @escaping (inout Target, ObjectReader) -> Void
    ) {
        (self.key, self.help, self.form, self.read) = (key, help, form, read)
    }

    /// The location of the schema, which nothing follows from.
    static var schemaLocation: Setting {
        Setting("$schema", "The location of this schema, for editors.", ["type": "string"]) { _, _ in }
    }

    static func integer(
        _ key: String, _ help: String, in range: ClosedRange<Int>, default initial: Int,
        write: @escaping (inout Target, Int) -> Void
    ) -> Setting {
        Setting(
            key, help,
            [
                "type": "integer", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
                "default": .number(initial),
            ]
        ) { target, object in
            if let value = object.integer(key, in: range) { write(&target, value) }
        }
    }

    /// - Parameter refusal: the message about a name that is none of the choices.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ help: String, default initial: Choice, refusal: @escaping (_ name: String) -> String,
        write: @escaping (inout Target, Choice) -> Void
    ) -> Setting {
        let names = Choice.allCases.map(\.rawValue)
        return Setting(key, help, ["enum": .strings(names), "default": .string(initial.rawValue)]) { target, object in
            guard let name = object.string(key) else { return }
            if let choice = Choice(rawValue: name) { return write(&target, choice) }
            object.error(key, refusal(name) + Spelling.suggestion(for: name, in: names))
        }
    }
}

extension Setting {
    /// Reads the members of an object. Each stands for itself: one that is wrong leaves the target as it is.
    static func read(_ settings: [Setting], of object: ObjectReader, into target: inout Target) {
        object.warnOfUnknown(besides: settings.map(\.key))
        for setting in settings where object.value(setting.key) != nil { setting.read(&target, object) }
    }

    /// The schema of an object with these members.
    static func schema(of settings: [Setting]) -> JSONValue {
        let members = settings.map { setting in
            let description: JSONValue = ["description": .string(setting.help)]
            return JSONValue.Member(setting.key, description.appending(setting.form()))
        }
        return ["type": "object", "additionalProperties": false, "properties": .object(members)]
    }
}

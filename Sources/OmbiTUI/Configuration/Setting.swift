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

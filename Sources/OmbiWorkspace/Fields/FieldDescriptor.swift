/// A part of a value that is edited as one line of text: its label, and how it is read, checked and written.
package struct FieldDescriptor<Value>: Sendable {
    /// Unique among the fields of a value.
    package let label: String
    /// The only valid texts, to pick from; empty for free text.
    package let choices: [FieldChoice]
    /// True for the path of a file.
    package let isPath: Bool
    /// True for a text that should come from a secret.
    package let isSecret: Bool
    package let need: @Sendable (Value) -> FieldNeed
    /// An example of its text, for a row that is empty; empty where the label says enough.
    package let example: String
    /// Texts that the value suggests, which complete what is typed.
    package let suggestions: @Sendable (Value) -> [String]
    package let read: @Sendable (Value) -> String
    /// Throws for a text that is not valid, and changes nothing.
    package let write: @Sendable (inout Value, String) throws(FieldError) -> Void

    package init(
        _ label: String, choices: [FieldChoice] = [], isPath: Bool = false, isSecret: Bool = false,
        example: String = "", need: @escaping @Sendable (Value) -> FieldNeed = { _ in .optional },
        suggestions: @escaping @Sendable (Value) -> [String] = { _ in [] },
        read: @escaping @Sendable (Value) -> String,
        write: @escaping @Sendable (inout Value, String) throws(FieldError) -> Void
    ) {
        self.label = label
        self.choices = choices
        self.isPath = isPath
        self.isSecret = isSecret
        self.need = need
        self.example = example
        self.suggestions = suggestions
        self.read = read
        self.write = write
    }

    /// Creates a field for a text.
    /// - Parameter check: throws for a text that is not valid.
    package init(
        _ label: String, _ text: WritableKeyPath<Value, String> & Sendable, isPath: Bool = false,
        isSecret: Bool = false, example: String = "",
        need: @escaping @Sendable (Value) -> FieldNeed = { _ in .optional },
        check: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in }
    ) {
        self.init(label, isPath: isPath, isSecret: isSecret, example: example, need: need) {
            $0[keyPath: text]
        } write: { value, edited throws(FieldError) in
            try check(edited)
            value[keyPath: text] = edited
        }
    }

    /// Creates a field for a text that is nil where the field is empty.
    /// - Parameter check: throws for a text that is not valid; an empty one is.
    init(
        _ label: String, optional text: WritableKeyPath<Value, String?> & Sendable, isPath: Bool = false,
        example: String = "", check: @escaping @Sendable (String) throws(FieldError) -> Void = { _ in }
    ) {
        self.init(label, isPath: isPath, example: example) {
            $0[keyPath: text] ?? ""
        } write: { value, edited throws(FieldError) in
            if !edited.isEmpty { try check(edited) }
            value[keyPath: text] = edited.isEmpty ? nil : edited
        }
    }

    /// Creates a choice between no and yes.
    init(_ label: String, flag: WritableKeyPath<Value, Bool> & Sendable, yes note: String) {
        self.init(label, choices: [FieldChoice("no"), FieldChoice("yes", note: note)]) {
            $0[keyPath: flag] ? "yes" : "no"
        } write: {
            $0[keyPath: flag] = $1 == "yes"
        }
    }

    /// The same field in a value that may hold this one; empty, and not writable, where it does not.
    func nested<Outer>(
        label: String? = nil, get: @escaping @Sendable (Outer) -> Value?,
        set: @escaping @Sendable (inout Outer, Value) -> Void
    ) -> FieldDescriptor<Outer> {
        FieldDescriptor<Outer>(
            label ?? self.label, choices: choices, isPath: isPath, isSecret: isSecret, example: example,
            need: { get($0).map(need) ?? .unused }, suggestions: { get($0).map(suggestions) ?? [] }
        ) {
            get($0).map(read) ?? ""
        } write: { outer, text throws(FieldError) in
            guard var value = get(outer) else { return }
            try write(&value, text)
            set(&outer, value)
        }
    }
}

/// The place of a field in a value, which may depend on what else the value says.
package enum FieldNeed: Sendable {
    /// The value is of no use while the field is empty.
    case required
    case optional
    /// Has no effect as the value is.
    case unused
}

/// One of the texts that a field accepts.
package struct FieldChoice: Equatable, Sendable {
    package var name: String
    package var note: String

    package init(_ name: String, note: String = "") {
        self.name = name
        self.note = note
    }
}

/// The reason why a field rejects a text, for the status line.
package struct FieldError: Error, Equatable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// A part of an environment as a row in a table of environments, which may be missing in some of them.
package enum EnvironmentPart: Hashable, Sendable {
    /// The lists of names and values.
    package enum List: Hashable, Sendable, CaseIterable {
        case headers, variables, secrets

        package var noun: String {
            switch self {
            case .headers: "header"
            case .variables: "variable"
            case .secrets: "secret"
            }
        }
    }

    /// The index in `Environment.fields`.
    case field(Int)
    /// A row of a list; of several with the same name the one at that place.
    case row(List, name: String, place: Int = 0)

    package var list: List? { if case .row(let list, _, _) = self { list } else { nil } }

    /// The label of a field, or the name of a row.
    package var label: String {
        switch self {
        case .field(let index): Environment.fields.indices.contains(index) ? Environment.fields[index].label : ""
        case .row(_, let name, _): name
        }
    }

    /// True for a name of the same row: the names of headers are compared without case.
    static func isSame(_ name: String, _ other: String, in list: List) -> Bool {
        list == .headers ? RequestHeaders.Key(name) == RequestHeaders.Key(other) : name == other
    }
}

extension Environment {
    private static let ownFields: [FieldDescriptor<Environment>] = [
        FieldDescriptor("host") {
            $0.host
        } write: { environment, text throws(FieldError) in
            if text.isEmpty, environment.needsHost {
                throw FieldError("an environment needs a host, such as https://api.example.com")
            }
            let complete = Environment.host(from: text)
            if !complete.isEmpty { try checkHost(complete) }
            environment.host = complete
        },
        FieldDescriptor("protected", flag: \.protected, yes: "unsafe methods ask for the name of the environment"),
        FieldDescriptor("verify TLS", flag: \.verifyTLS, yes: "certificates are checked"),
        FieldDescriptor("history", flag: \.isRecorded, yes: "runs are kept in the history"),
        FieldDescriptor("objective", example: Objective.example) {
            $0.objective?.text ?? ""
        } write: { environment, text throws(FieldError) in
            try Objective.write(text, to: &environment.objective)
        },
        FieldDescriptor("trace", example: SavedTrace.example) {
            $0.trace?.text ?? ""
        } write: { environment, text throws(FieldError) in
            try SavedTrace.write(text, to: &environment.trace)
        },
    ]
    private static let policyFields = RequestPolicy.fields.map { field in
        FieldDescriptor<Environment>(field.label, choices: field.choices, example: field.example) {
            field.read($0.policy ?? RequestPolicy())
        } write: { environment, text throws(FieldError) in
            var policy = environment.policy ?? RequestPolicy()
            try field.write(&policy, text)
            environment.policy = policy == RequestPolicy() ? nil : policy
        }
    }

    /// The parts that every environment has.
    package static let fields: [FieldDescriptor<Environment>] =
        ownFields + policyFields + connectionFields + authenticationFields + originFields

    /// Throws for a text that no request can be sent to; one with a template may become anything.
    package static func checkHost(_ text: String) throws(FieldError) { try HostText.check(text) }

    /// The number of fields before those of the policy.
    package static let ownFieldCount = ownFields.count

    /// The fields that say where its parts come from; no other environment inherits them.
    static let originFields = [
        FieldDescriptor<Environment>("inherits", optional: \.inherits),
        FieldDescriptor<Environment>("env file", optional: \.envFile, isPath: true),
        FieldDescriptor<Environment>(
            "abstract", flag: \.isAbstract, yes: "others inherit from it, and no request goes to it"),
    ]

    /// The indices of the fields that say where its parts come from.
    package static let originRows = fields.count - originFields.count..<fields.count

    /// The header or variable of a row; nil where this environment has none.
    package func field(_ part: EnvironmentPart) -> Field? {
        switch part {
        case .row(.headers, _, _): index(of: part).map { additionalHeaders[$0] }
        case .row(.variables, _, _): index(of: part).map { variables[$0] }
        case .row(.secrets, _, _), .field: nil
        }
    }

    package func secret(_ part: EnvironmentPart) -> Secret? {
        part.list == .secrets ? index(of: part).map { secrets[$0] } : nil
    }

    /// The part as a line of text; nil where this environment has none.
    package func text(of part: EnvironmentPart) -> String? {
        switch part {
        case .field(let index): Self.fields.indices.contains(index) ? Self.fields[index].read(self) : nil
        case .row(.secrets, _, _): secret(part)?.source.text
        case .row: field(part)?.value
        }
    }

    /// True for a part that this environment has itself, and inherits from no other.
    package func sets(_ part: EnvironmentPart) -> Bool {
        switch part {
        case .row(.headers, _, _), .row(.variables, _, _): field(part)?.enabled ?? false
        case .row(.secrets, _, _): secret(part) != nil
        case .field(let index):
            Self.isInherited(index)
                && text(of: part) != Environment(name: "", host: "").text(of: part)
        }
    }

    /// True for the fields that pass to those who inherit.
    private static func isInherited(_ index: Int) -> Bool {
        fields.indices.contains(index) && !originRows.contains(index)
    }

    /// True where the environment has a variable or a secret of that name itself.
    package func defines(_ name: String) -> Bool {
        variables.contains { $0.name == name && $0.enabled } || secrets.contains { $0.name == name }
    }

    /// Sets a part, and adds it where this environment has none.
    package mutating func set(_ part: EnvironmentPart, _ text: String) throws(FieldError) {
        let index = index(of: part)
        switch part {
        case .field(let field): if Self.fields.indices.contains(field) { try Self.fields[field].write(&self, text) }
        case .row(.headers, let name, _):
            if let index { additionalHeaders[index].value = text } else { additionalHeaders.append(Field(name, text)) }
        case .row(.variables, let name, _):
            if let index { variables[index].value = text } else { variables.append(Field(name, text)) }
        case .row(.secrets, let name, _):
            let source = try Secret.Source(text)
            if let index { secrets[index].source = source } else { secrets.append(Secret(name, source)) }
        }
    }

    /// Removes a row, or empties a field that may be empty.
    package mutating func remove(_ part: EnvironmentPart) {
        guard case .row(let list, _, _) = part else {
            if Self.fields[part.fieldIndex].choices.isEmpty { try? set(part, "") }
            return
        }
        guard let index = index(of: part) else { return }
        switch list {
        case .headers: additionalHeaders.remove(at: index)
        case .variables: variables.remove(at: index)
        case .secrets: secrets.remove(at: index)
        }
    }

    package mutating func rename(_ part: EnvironmentPart, to name: String) {
        guard case .row(let list, _, _) = part, let index = index(of: part) else { return }
        switch list {
        case .headers: additionalHeaders[index].name = name
        case .variables: variables[index].name = name
        case .secrets: secrets[index].name = name
        }
    }

    func names(in list: EnvironmentPart.List) -> [String] {
        switch list {
        case .headers: additionalHeaders.map(\.name)
        case .variables: variables.map(\.name)
        case .secrets: secrets.map(\.name)
        }
    }

    private func index(of part: EnvironmentPart) -> Int? {
        guard case .row(let list, let name, let place) = part else { return nil }
        let places = names(in: list).enumerated().filter { EnvironmentPart.isSame($0.element, name, in: list) }
        return places.indices.contains(place) ? places[place].offset : nil
    }
}

extension EnvironmentPart {
    fileprivate var fieldIndex: Int { if case .field(let index) = self { index } else { 0 } }
}

/// The credentials of an environment as rows of a table.
extension Environment {
    /// The kind, and the fields of all kinds.
    static let authenticationFields: [FieldDescriptor<Environment>] =
        [
            FieldDescriptor("authentication", choices: SavedAuthentication.choices) {
                $0.authentication?.kind.rawValue ?? "inherit"
            } write: { environment, name in
                let kind = SavedAuthentication.Kind(rawValue: name)
                if kind != environment.authentication?.kind {
                    environment.authentication = kind.map(SavedAuthentication.init)
                }
            }
        ]
        + SavedAuthentication.Kind.allCases.flatMap { kind in
            kind.descriptors.map { field in
                field.nested(label: "\(kind.rawValue) \(field.label)") {
                    $0.authentication
                } set: {
                    $0.authentication = $1
                }
            }
        }

    /// The indices of the fields of authentication that any of these environments has.
    public static func authenticationRows(of environments: [Environment]) -> [Int] {
        let start = fields.count - authenticationFields.count - originFields.count
        let kinds = Set(environments.compactMap { $0.authentication?.kind })
        let owners = SavedAuthentication.Kind.allCases.flatMap { kind in kind.descriptors.map { _ in kind } }
        return [start] + owners.indices.filter { kinds.contains(owners[$0]) }.map { start + 1 + $0 }
    }
}

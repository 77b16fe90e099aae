/// The connection of an environment as rows of a table.
extension Environment {
    static let connectionFields = SavedConnection.fields.map { field in
        FieldDescriptor<Environment>(
            field.label, choices: field.choices, isPath: field.isPath, isSecret: field.isSecret
        ) {
            field.read($0.connection ?? SavedConnection())
        } write: { environment, text throws(FieldError) in
            var connection = environment.connection ?? SavedConnection()
            try field.write(&connection, text)
            environment.connection = connection == SavedConnection() ? nil : connection
        }
    }

    /// The indices of the fields of the connection.
    public static let connectionRows: Range<Int> = {
        let start = ownFieldCount + RequestPolicy.fields.count
        return start..<start + connectionFields.count
    }()
}

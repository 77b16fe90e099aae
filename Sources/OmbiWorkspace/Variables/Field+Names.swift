import OmbiCore

extension Field {
    /// Throws for a name that no header can have. The value of a template in it is checked when it is filled in.
    public static func checkHeaderName(_ name: String) throws(FieldError) {
        let parts = (try? Template(name))?.parts ?? [.text(name)]
        let isName = parts.allSatisfy { if case .text(let text) = $0 { HeaderCheck.isToken(text) } else { true } }
        if !isName { throw FieldError(HeaderCheck.nameForm) }
    }

    /// Throws for a name that no template can use.
    public static func checkVariableName(_ name: String) throws(FieldError) {
        guard !name.hasPrefix("$"), (try? Template("{{\(name)}}"))?.parts == [.template(.init(.variable(name)))] else {
            throw FieldError("a name has letters, digits, _, - and . only, as in {{user.name}}")
        }
    }
}

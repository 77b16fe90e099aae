import OmbiCore

extension Field {
    /// Throws for a name that no header can have. The value of a template in it is checked when it is filled in.
    public static func checkHeaderName(_ name: String) throws(FieldError) {
        let parts = (try? Template(name))?.parts ?? [.text(name)]
        let isName = parts.allSatisfy { if case .text(let text) = $0 { HeaderCheck.isToken(text) } else { true } }
        if !isName { throw FieldError(HeaderCheck.nameForm) }
    }

    /// Throws for a content type that is none; an empty one is that of the file.
    static func checkContentType(_ text: String) throws(FieldError) {
        let parts = (try? Template(text))?.parts ?? [.text(text)]
        guard parts.allSatisfy({ if case .text = $0 { true } else { false } }), !text.isEmpty else { return }
        let names = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ HeaderCheck.isToken(String($0.drop { $0 == " " })) }) else {
            throw FieldError("a content type has two words: image/jpeg")
        }
    }

    /// Throws for a name that no template can use.
    public static func checkVariableName(_ name: String) throws(FieldError) {
        guard !name.hasPrefix("$"), (try? Template("{{\(name)}}"))?.parts == [.template(.init(.variable(name)))] else {
            throw FieldError("a name has letters, digits, _, - and . only, as in {{user.name}}")
        }
    }
}

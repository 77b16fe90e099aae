extension ImportLog {
    /// Returns a name that templates can have.
    mutating func variableName(_ name: String, at offset: Int) -> String {
        if Self.isName(name) { return name }
        let isKept = { (character: Character) in
            character.isLetter || character.isNumber || "_-.".contains(character)
        }
        var changed = String(name.trimmed.map { isKept($0) ? $0 : "_" })
        if !Self.isName(changed) { changed = String(changed.map { $0.isASCII ? $0 : "_" }) }
        if !Self.isName(changed) { changed = "variable" }
        if changed != name { remark(offset, name.excerpted, "named \(changed), as a template can name it") }
        return changed
    }

    private static func isName(_ name: String) -> Bool {
        do throws(FieldError) {
            try Field.checkVariableName(name)
            return true
        } catch {
            return false
        }
    }
}

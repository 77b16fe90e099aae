/// Fields of one name in the response, which a server merges only if they are the same.
extension GraphQLWalk {
    /// A field as it is asked for.
    struct Asked: Equatable {
        var name: String
        /// The texts of its arguments, sorted: their order makes no difference.
        var arguments: [String]
        /// True for one whose name or arguments a template may change.
        var isOpen = false
    }

    /// Notes a field that has the name of another one in the same braces, and is another field or has other arguments.
    /// - Parameter start: the number of its first token. All of its tokens are known.
    mutating func checkMerging(from start: Int, _ known: inout [String: Asked]) {
        let isAlias = start + 2 < next && bytes.has(":", at: tokens[start + 1])
        guard tokens[start].kind == .name, !isAlias || tokens[start + 2].kind == .name else { return }
        let response = bytes.text(of: tokens[start])
        let name = isAlias ? start + 2 : start
        let asked = asked(bytes.text(of: tokens[name]), from: name + 1)
        guard let other = known[response] else {
            known[response] = asked
            return
        }
        guard !other.isOpen, !asked.isOpen else { return }
        let subject = "`\(response.excerpt(60))`"
        if other.name != asked.name {
            let names = "`\(other.name.excerpt(60))` and `\(asked.name.excerpt(60))`"
            note("\(subject) is the name of two fields, \(names): give one another alias", at: tokens[start])
        } else if other.arguments != asked.arguments {
            note("\(subject) is selected twice with different arguments: give one an alias", at: tokens[start])
        }
    }

    private func asked(_ name: String, from start: Int) -> Asked {
        var asked = Asked(name: name, arguments: [], isOpen: isTemplateNext)
        guard start < next, bytes.has("(", at: tokens[start]) else { return asked }
        var depth = 0
        for token in tokens[start..<next] {
            if bytes.has("(", at: token) { depth += 1 }
            if bytes.has(")", at: token) { depth -= 1 }
            if depth == 0 { break }
            let text = bytes.text(of: token)
            // A string may have templates in it.
            if token.kind == .template || text.contains("{{") { asked.isOpen = true }
            asked.arguments.append(text)
        }
        asked.arguments.sort()
        return asked
    }
}

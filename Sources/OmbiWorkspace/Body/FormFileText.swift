import OmbiDocument

/// A file of a form on one line: `./ada.png;type=image/png;filename=me.png`, in the grammar of curl's `-F`.
struct FormFileText: Equatable {
    var path: String
    var type: String?
    var fileName: String?

    init(path: String, type: String? = nil, fileName: String? = nil) {
        self.path = path
        self.type = type
        self.fileName = fileName
    }

    /// Reads a line. What is no attribute belongs to the text before it, as a type may have parameters.
    init(_ line: Substring) {
        var words = Self.words(line)[...]
        path = words.popFirst() ?? ""
        for word in words {
            if word.hasPrefix("type=") {
                type = String(word.dropFirst(5))
            } else if word.hasPrefix("filename=") {
                fileName = String(word.dropFirst(9))
            } else if let before = type {
                type = before + ";" + word
            } else {
                path += ";" + word
            }
        }
    }

    var text: String {
        Self.quoted(path) + (type.map { ";type=" + $0 } ?? "") + (fileName.map { ";filename=" + Self.quoted($0) } ?? "")
    }

    /// Splits at semicolons outside of quotation marks, which are taken away where a word or a value begins with them.
    private static func words(_ line: Substring) -> [String] {
        var words = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            let word = words[words.count - 1]
            switch character {
            case _ where isEscaped:
                words[words.count - 1].append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"" where isQuoted: isQuoted = false
            case "\"" where word.isEmpty || word == "filename=": isQuoted = true
            case ";" where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(";") || text.hasPrefix("\"") else { return text }
        return "\"" + text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "\"", with: "\\\"") + "\""
    }
}

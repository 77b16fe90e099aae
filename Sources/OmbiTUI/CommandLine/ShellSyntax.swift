import ArgumentParser
import OmbiDocument

/// The form in which shells hand over the words of a command line, and take the names to complete one.
enum ShellSyntax {
    /// Returns a word without its quotes and escapes; it may end within them.
    static func text(of word: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { text.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Returns a name so that the completion function of a shell takes it for what it is: that of bash would run a command
    /// in it, that of zsh takes what follows a colon for a description.
    static func candidate(_ name: String, for shell: CompletionShell?) -> String {
        if shell == .bash { return "'" + name.replacing(scalar: "'", with: #"'\''"#) + "'" }
        return shell == .zsh ? name.replacing(scalar: ":", with: #"\:"#) : name
    }
}

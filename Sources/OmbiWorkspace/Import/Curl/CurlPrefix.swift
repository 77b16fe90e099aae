/// The words in front of `curl` in a command: those of the shell, assignments, and programs that run another one.
enum CurlPrefix {
    /// The index of `curl` among the words of a command; nil for another command.
    static func start(in words: [String]) -> Int? {
        var (hasOptions, takesValue) = (false, false)
        for (index, word) in words.enumerated() {
            if isCurl(word) { return index }
            // It looks for the program.
            if word == "command", words.dropFirst(index + 1).first?.lowercased() == "-v" { return nil }
            if elsewhere.contains(program(word)) { return words.indices[index...].first { isCurl(words[$0]) } }
            if runners.contains(program(word)) {
                (hasOptions, takesValue) = (true, false)
            } else if hasOptions, word.hasPrefix("-") {
                takesValue = true
            } else if keywords.contains(word) || isAssignment(word) {
                takesValue = false
            } else if hasOptions, takesValue || isDuration(word) {
                takesValue = false
            } else {
                return nil
            }
        }
        return nil
    }

    /// Returns true for a text that begins with a command of curl, or with one whose value a command of curl is, or gets.
    static func begins(_ text: String) -> Bool {
        let commands = text.split { "|&;\n".contains($0) }.map { command in
            command.split(whereSeparator: \.isWhitespace).map { String($0.drop { $0 == "(" }) }.filter { !$0.isEmpty }
        }
        guard let first = commands.first, let word = first.first(where: { $0 != "$" }) else { return false }
        if let start = start(in: first) { return isCommand(first, from: start) }
        let isOuter = isAssignment(word) || outer.contains(word)
        if isOuter, first.contains(where: { $0.contains("$(curl") }) { return true }
        if isShell(first), first.contains(where: { $0 == "'curl" || $0 == "\"curl" }) { return true }
        return outer.contains(word)
            && commands.dropFirst().contains { words in
                start(in: words).map { isCommand(words, from: $0) } ?? false
            }
    }

    /// Behind other words, `curl` may be one of a sentence.
    private static func isCommand(_ words: [String], from start: Int) -> Bool {
        guard let next = words.dropFirst(start + 1).first else { return false }
        return words[..<start].allSatisfy { $0 == "$" } || next.contains { "-/.:$\"'{".contains($0) }
    }

    // MARK: Words

    /// True for words in front of a text that is a command.
    static func isShell(_ words: some Sequence<String>) -> Bool { words.contains { shells.contains(program($0)) } }

    static func isCurl(_ word: String) -> Bool {
        let name = program(word.lowercased())
        // A path may have spaces; a text with a command is none.
        return (name == "curl" || name == "curl.exe") && !word.contains("curl ")
    }

    static func isAssignment(_ word: String) -> Bool {
        let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }
        return name.count < word.utf8.count && ShellVariable.isStart(name.first)
            && name.allSatisfy(ShellVariable.isPart)
    }

    /// The name of a program without its folder.
    private static func program(_ word: String) -> String {
        word.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    }

    private static func isDuration(_ word: String) -> Bool {
        word.first.map { $0.isASCII && $0.isNumber } ?? false || word.hasPrefix("{{")
    }

    private static let keywords: Set<String> = [
        "$", "%", "#", ">", "if", "then", "else", "elif", "while", "until", "do", "!", "{",
    ]

    /// Programs that run the command behind their options.
    static let runners: Set<String> = [
        "sudo", "doas", "env", "time", "timeout", "gtimeout", "nohup", "nice", "ionice", "command", "exec", "stdbuf",
        "setsid", "watch", "retry", "strace", "proxychains", "proxychains4", "torsocks", "caffeinate", "chronic",
    ]

    /// Programs that run the commands in a text.
    private static let shells: Set<String> = ["sh", "bash", "zsh", "dash", "ash", "watch", "ssh", "su", "eval"]

    /// Programs that run a command on another machine.
    private static let elsewhere: Set<String> = ["docker", "podman", "nerdctl", "kubectl", "oc", "ssh"]

    /// Commands whose text goes to curl, and words of the shell in front of a list.
    private static let outer: Set<String> = [
        "echo", "printf", "cat", "jq", "cd", "export", "for", "while", "until", "if",
    ]

    // MARK: Notes

    /// Notes what no request has of the words in front of `curl`. The values may be credentials.
    static func note(_ words: ArraySlice<ShellWord>, _ log: inout ImportLog) {
        for word in words {
            let (text, name) = (word.text, program(word.text))
            if isAssignment(text) {
                let variable = String(text.prefix { $0 != "=" })
                guard settings.contains(variable.lowercased()) else { continue }
                log.loss(word.offset, variable, "left out: Connection has the proxy and the file of authorities")
            } else if elsewhere.contains(name) {
                return log.loss(word.offset, name, "the request is sent from this machine, not from there")
            } else if let message = remarks[name] {
                log.remark(word.offset, name, message)
            }
        }
    }

    private static let settings: Set<String> = [
        "http_proxy", "https_proxy", "all_proxy", "no_proxy", "curl_ca_bundle", "ssl_cert_file",
    ]

    private static let remarks = [
        "timeout": "left out; the SLA of the request is the limit of a run",
        "gtimeout": "left out; the SLA of the request is the limit of a run",
        "retry": "left out; the policy of the request has the retries",
        "watch": "left out; ombi run --watch sends requests again and again",
        "proxychains": "left out; Connection has the proxy", "proxychains4": "left out; Connection has the proxy",
        "torsocks": "left out; Connection has the proxy",
    ]
}

/// Filters of jq that select one value, as JSONPaths.
enum JQFilter {
    /// The path for `jq -r .a.b[0]`; nil for another command, and for a filter that does more.
    static func path(_ command: [ShellWord]) -> String? {
        let words = command.map(\.text)
        guard words.first == "jq" else { return nil }
        let filters = words.dropFirst().filter { !options.contains($0) }
        guard filters.count == 1, let filter = filters.first, filter.hasPrefix("."), filter.count > 1,
            !filter.contains("[]"), !filter.contains("{{"), !filter.contains(where: { " |,(){}*/?:".contains($0) })
        else { return nil }
        return "$" + (filter.hasPrefix(".[") ? String(filter.dropFirst()) : filter).replacing(".[", with: "[")
    }

    /// A name for the value at a path: that of its last member.
    static func name(of path: String) -> String {
        let word = path.split { ".[]\"'$".contains($0) }.map { ForeignText.word(String($0)) }.last { word in
            word.first?.isLetter ?? false
        }
        return word ?? "value"
    }

    private static let options: Set<String> = [
        "-r", "--raw-output", "-e", "--exit-status", "-j", "--join-output", "-c", "--compact-output", "-re", "-er",
        "-cr", "-rc",
    ]
}

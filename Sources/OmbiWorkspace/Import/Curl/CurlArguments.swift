/// One option of a command line, with its value.
struct CurlArgument: Equatable {
    var option: CurlOption
    /// Nil for a flag.
    var value: ShellWord?
    /// False for `--no-…`.
    var isOn = true
    /// In bytes of the text.
    var offset: Int
    /// The option as it is written: `-X`, `--request`.
    var written: String
}

/// The options between two `--next`, in order, which all URLs among them share.
struct CurlOperation: Equatable {
    var arguments: [CurlArgument] = []
    var urls: [ShellWord] = []
    /// The standard input.
    var input: [UInt8]?
    var inputFile: ShellWord?
    /// The position of the command.
    var offset: Int

    /// Returns the last argument of an option that takes effect.
    func last(_ part: CurlOption.Part) -> CurlArgument? {
        arguments.last { $0.option.effect == .request(part) }
    }

    func isOn(_ part: CurlOption.Part) -> Bool { last(part)?.isOn ?? false }

    func all(_ part: CurlOption.Part) -> [CurlArgument] {
        arguments.filter { $0.option.effect == .request(part) }
    }
}

/// Reads the words behind `curl` as curl does.
struct CurlArguments {
    private var words: ArraySlice<ShellWord>
    private var operations: [CurlOperation]
    private(set) var log: ImportLog

    init(_ words: ArraySlice<ShellWord>, _ command: ShellLine, offset: Int, _ log: ImportLog) {
        self.words = words
        self.log = log
        operations = [CurlOperation(input: command.input, inputFile: command.inputFile, offset: offset)]
    }

    /// Returns the operations, each with at least one URL.
    mutating func read() throws(ImportError) -> [CurlOperation] {
        var takesOptions = true
        while let word = words.popFirst() {
            let text = word.text
            if takesOptions, text == "--" {
                takesOptions = false
            } else if takesOptions, text.hasPrefix("--") {
                try long(word)
            } else if takesOptions, text.hasPrefix("-"), text != "-" {
                try short(word)
            } else {
                operations[operations.count - 1].urls.append(word)
            }
        }
        for operation in operations where operation.urls.isEmpty {
            throw log.error(operation.offset, "the command has no URL")
        }
        return operations
    }

    private mutating func long(_ word: ShellWord) throws(ImportError) {
        var name = String(word.text.dropFirst(2))
        var value: ShellWord?
        if let equals = name.firstIndex(of: "="), CurlOption.named(name) == nil {
            let text = String(name[name.index(after: equals)...])
            name = String(name[..<equals])
            value = ShellWord(bytes: Array(text.utf8), offset: word.offset + name.utf8.count + 3, isQuoted: true)
            if CurlOption.named(name)?.takesValue == true {
                log.remark(word.offset, "--\(name)=", "curl itself takes the value as the next word")
            }
        }
        var isOn = true
        var option = CurlOption.named(name)
        if option == nil, name.hasPrefix("no-") {
            option = CurlOption.named(String(name.dropFirst(3)))
            isOn = false
        }
        guard let option, option.takesValue || value == nil else {
            let hint = Spelling.hint(for: name, in: CurlOption.names)
            throw log.error(word.offset, "curl has no option --\(name)\(hint)")
        }
        if option.takesValue, value == nil, isOn { value = try next("--\(name)", word.offset) }
        add(CurlArgument(option: option, value: value, isOn: isOn, offset: word.offset, written: "--\(name)"))
    }

    /// Several letters in one word; the rest of the word is the value of the first that takes one.
    private mutating func short(_ word: ShellWord) throws(ImportError) {
        var rest = word.bytes.dropFirst()
        while let letter = rest.popFirst() {
            // One character, not one byte of it.
            let written = "-" + String(String(decoding: [letter] + rest, as: UTF8.self).prefix(1))
            let offset = word.offset
            guard letter < 0x80, let option = CurlOption.named(Character(Unicode.Scalar(letter))) else {
                throw log.error(offset, "curl has no option \(written)")
            }
            var value: ShellWord?
            if option.takesValue {
                value = rest.isEmpty ? try next(written, offset) : ShellWord(bytes: Array(rest), offset: offset)
                rest = []
            }
            add(CurlArgument(option: option, value: value, offset: offset, written: written))
        }
    }

    private mutating func next(_ written: String, _ offset: Int) throws(ImportError) -> ShellWord {
        guard let word = words.popFirst() else { throw log.error(offset, "\(written) needs a value") }
        return word
    }

    private mutating func add(_ argument: CurlArgument) {
        switch argument.option.effect {
        case .request(.next):
            operations.append(CurlOperation(offset: argument.offset))
        case .request(.url): if let url = argument.value { operations[operations.count - 1].urls.append(url) }
        case .request: operations[operations.count - 1].arguments.append(argument)
        case .output: break
        case .lost(let remedy): if argument.isOn { log.loss(argument.offset, argument.written, remedy) }
        }
    }
}

import OmbiPlatform

/// The terminal of the person at the keyboard, wherever the standard streams go.
enum ControllingTerminal {
    /// Asks for a line. Returns nil without a terminal.
    /// - Parameter isShown: false for a secret.
    static func line(prompt: String, isShown: Bool = true) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return nil }
        if isShown {
            // Keys that were typed before the question are no answer to it.
            tcflush(terminal, TCIFLUSH)
            write(prompt, to: terminal)
            return read(terminal)
        }
        // Ctrl+C must not leave a terminal behind that shows nothing, so it is read as a key.
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        _ = tcsetattr(terminal, TCSAFLUSH, &silent)
        defer { _ = tcsetattr(terminal, TCSAFLUSH, &before) }
        write(prompt, to: terminal)
        let line = readKeys(terminal)
        write("\n", to: terminal)
        return line
    }

    static var isThere: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Asks for a line as long as a condition holds, which it looks at every 200 ms. Returns nil without a terminal, too.
    static func line(prompt: String, while isWaiting: () -> Bool) -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        write(prompt, to: terminal)
        while isWaiting() {
            var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            let count = poll(&event, 1, 200)
            if count < 0, errno != EINTR { return nil }
            // The terminal hands over whole lines.
            if count > 0 { return event.revents & Int16(POLLIN) != 0 ? read(terminal) : nil }
        }
        write("\n", to: terminal)
        return nil
    }

    /// Reads keys up to Enter. Returns nil for Ctrl+C, and for Ctrl+D before anything else.
    private static func readKeys(_ terminal: Int32) -> String? {
        var text = ""
        var bytes: [UInt8] = []
        while let byte = readByte(terminal) {
            switch byte {
            case 3: return nil
            case 4 where text.isEmpty && bytes.isEmpty: return nil
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return text + String(decoding: bytes, as: UTF8.self)
            case 8, 0x7F:
                text = String((text + String(decoding: bytes, as: UTF8.self)).dropLast())
                bytes = []
            case 21: (text, bytes) = ("", [])
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private static func readByte(_ terminal: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = OmbiPlatform.read(terminal, &byte, 1)
            if count < 0, errno == EINTR { continue }
            return count == 1 ? byte : nil
        }
    }

    private static func write(_ text: String, to terminal: Int32) {
        // A failure shows when the answer is read.
        _ = Array(SafeText.terminal(text).utf8).withUnsafeBytes { bytes in
            OmbiPlatform.write(terminal, bytes.baseAddress, bytes.count)
        }
    }

    private static func read(_ terminal: Int32) -> String? {
        var bytes: [UInt8] = []
        while let byte = readByte(terminal), byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension SessionSteps {
    /// The steps of a program without a screen: secrets are typed at the terminal, if there is one.
    /// - Parameter asking: answers for what has no grant, before and during the runs; nil allows nothing more.
    static func headless(_ gate: Gate, asking: Session.Asking? = nil) -> SessionSteps {
        var steps = SessionSteps(signIn: { order, signIn in
            guard case .code(let code) = signIn.completion else { return }
            let name = SafeText.line(order.request.name)
            StandardError.print("\(name): open \(SafeText.line(signIn.url)) and enter \(SafeText.line(code))")
        })
        steps.whyNobodySignsIn = {
            ControllingTerminal.isThere
                ? nil : "a person signs in, and there is no terminal: run it in one, or leave it out by its tag"
        }
        steps.tokens = kept()
        steps.askForRedirect = { signIn, problem, isWaiting in await ask(signIn, problem, isWaiting) }
        steps.gate = gate
        if let asking { steps.askForGrants = asking }
        steps.askForSecret = { _, question in
            ControllingTerminal.line(prompt: SafeText.line(question.prompt) + " ", isShown: false)
        }
        return steps
    }

    /// The tokens that outlive the program, where the settings say so. They are read when the first token is needed.
    private static func kept() -> @Sendable () -> TokenStore? {
        let known = Lock<TokenStore??>(nil)
        return {
            known.withLock { known in
                if let known { return known }
                let store = TokenStore.standard(ConfigurationFile.load(environment: Screen.environment).tokens)
                known = .some(store)
                return store
            }
        }
    }

    /// Shows the page to sign in on standard error, and reads the address from the terminal.
    private static func ask(
        _ signIn: SignIn, _ problem: String?, _ isWaiting: @escaping @Sendable () -> Bool
    ) async -> String? {
        guard case .redirect(let address, let isListening) = signIn.completion else { return nil }
        if let problem {
            StandardError.print("Not taken: \(SafeText.line(problem)).")
        } else {
            StandardError.print("Sign in at \(SafeText.line(signIn.url))")
            let hint = isListening ? "A browser on this machine comes back by itself; from another one paste" : "Paste"
            StandardError.print("\(hint) the address at which it ends: \(SafeText.line(address))?…")
        }
        // A terminal may be silent for minutes, which would hold up other tasks.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: ControllingTerminal.line(prompt: "Address: ", while: isWaiting))
            }
        }
    }
}

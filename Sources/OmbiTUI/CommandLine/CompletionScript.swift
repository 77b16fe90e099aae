/// The completion script of the command parser with what it leaves out: names that go on end without a space, and the
/// first word may be a file.
enum CompletionScript {
    static func text(for shell: CompletionsCommand.Shell) -> String {
        switch shell {
        case .bash: Ombi.completionScript(for: .bash) + "\n" + bash
        case .zsh: inserted(zsh, before: "if [[ \"${funcstack[1]}\"", in: Ombi.completionScript(for: .zsh)) + "\n"
        case .fish: Ombi.completionScript(for: .fish) + "\n" + fish
        }
    }

    /// The last lines of the script for zsh call its functions, so they have to be complete there.
    private static func inserted(_ text: String, before end: String, in script: String) -> String {
        guard let index = script.ranges(of: end).last?.lowerBound else { return script }
        return String(script[..<index]) + text + script[index...]
    }

    /// A variable is inserted without quotes where it needs none, as bash would escape its sign.
    private static let bash = """

        __ombi_completed() {
            _ombi "${@}"
            case "${COMPREPLY[0]-}" in
            */ | *[!a-zA-Z0-9_.-]*=) compopt -o nospace 2>/dev/null ;;
            *=) compopt -o nospace +o filenames 2>/dev/null ;;
            '') [[ "${COMP_CWORD}" -gt 1 ]] || compopt -o default 2>/dev/null ;;
            esac
        }

        complete -o filenames -F __ombi_completed ombi

        """

    private static let zsh = """
        __ombi_complete() {
            local -ar open=("${(M)@:#*(/|=)}") closed=("${@:#*(/|=)}")
            _describe -V '' closed -- open -S ''
        }

        functions[__ombi_parsed]="${functions[_ombi]}"
        _ombi() {
            __ombi_parsed "${@}" || { [[ "${CURRENT}" -eq 2 ]] && _files }
        }


        """

    private static let fish = """
        complete -c ombi -n 'test (count (commandline -opc)) -eq 1; and string match -qr "[./]" -- (commandline -t)' -F

        """
}

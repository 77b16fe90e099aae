import ArgumentParser

/// `ombi completions`: the script that completes the commands of Ombi in a shell.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print the script that completes commands and names in a shell.",
        discussion: "In bash: source <(ombi completions bash); in fish: ombi completions fish | source.")

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() { StandardOutput.write(CompletionScript.text(for: shell)) }
}

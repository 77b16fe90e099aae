// The explorer needs no command tree, which would cost a quarter of its start-up.
if CommandLine.arguments.count == 1 {
    Explorer.run(paths: ["."])
} else {
    Ombi.run()
}

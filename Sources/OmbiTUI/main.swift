// The explorer needs no command tree, which would cost a quarter of its start-up.
if let paths = Explorer.plainPaths(CommandLine.arguments) {
    Explorer.run(paths: paths)
} else {
    Ombi.run()
}

StandardStreams.keepPlaces()
// Without the command parser, which would cost a quarter of the start-up.
if let paths = Explorer.plainPaths(CommandLine.arguments) {
    Explorer.run(paths: paths)
} else {
    Ombi.run()
}

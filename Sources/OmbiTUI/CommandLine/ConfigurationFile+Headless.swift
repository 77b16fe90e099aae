import OmbiTerminal
import OmbiWorkspace

extension ConfigurationFile {
    /// The settings of a program without a screen, whose start prints their errors on standard error.
    static func headless() -> Configuration {
        let configuration = load(environment: Screen.environment)
        for problem in configuration.problems where problem.severity == .error {
            StandardError.print(SafeText.line(problem.description))
        }
        return configuration
    }
}

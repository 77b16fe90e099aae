import OmbiBase
import Testing

@Suite struct DurationUnitsTests {
    @Test(arguments: [
        (Duration.zero, 0.0), (Duration.milliseconds(1500), 1.5), (Duration.microseconds(-250_000), -0.25),
        (Duration.seconds(86_400), 86_400.0),
    ])
    func `a duration is a number of seconds and of milliseconds`(duration: Duration, seconds: Double) {
        #expect(duration.inSeconds == seconds)
        #expect(duration.milliseconds == seconds * 1000)
    }
}

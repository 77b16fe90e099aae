#if canImport(CCurl)
/// What the transfers of a loop share with it.
final class CurlContext {
    let configuration: CurlTransport.Configuration
    /// The time of this round of the loop: to the callbacks, reading the clock would cost more than the difference matters.
    var now = ContinuousClock.now
    var news = CurlScheduler.News()

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }
}
#endif

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One measurement in a process of its own: ring|thread FILE MILLIS; the answer is one line of JSON. */
public final class Play {
    /** Processor time of the warm-up, in passes over the whole workload: C2 has settled after it. */
    private static final double WARM_UP_MILLIS = 4_000;
    private static final int LEAST_PASSES = 3;

    public static void main(String[] words) throws Exception {
        boolean isRing = words[0].equals("ring");
        Workload workload = Workload.read(Path.of(words[1]));
        double millis = Double.parseDouble(words[2]);
        for (double spent = 0; spent < WARM_UP_MILLIS; ) spent += playOnce(isRing, workload).processMillis();
        List<Timing> timings = new ArrayList<>();
        for (double spent = 0; spent < millis || timings.size() < LEAST_PASSES; ) {
            Timing timing = playOnce(isRing, workload);
            timings.add(timing);
            spent += timing.processMillis();
        }
        System.out.printf(
                "{\"processMillis\":%.3f,\"wallMillis\":%.3f}%n",
                median(timings, Timing::processMillis),
                median(timings, Timing::wallMillis));
    }

    private record Timing(double processMillis, double wallMillis) {}

    /** Plays the workload on a fresh exchange, which must end as the reference book did. */
    private static Timing playOnce(boolean isRing, Workload workload) throws Exception {
        try (Session session = isRing ? new Ring(workload) : new OneThread(workload)) {
            session.play(0, workload.firstTimed);
            session.tally.startTimed();
            System.gc();
            double cpuStart = processMillis();
            long wallStart = System.nanoTime();
            session.play(workload.firstTimed, workload.count);
            double wallMillis = (System.nanoTime() - wallStart) / 1e6;
            Timing timing = new Timing(processMillis() - cpuStart, wallMillis);
            session.checkEnd();
            return timing;
        }
    }

    public interface C extends Library {
        int getrusage(int who, long[] usage);
    }

    private static final C LIBRARY = Native.load("c", C.class);

    /** All threads, with the collector's, as process.cpuUsage() of Node has it. Java's own call counts in ticks of 10 ms. */
    private static double processMillis() {
        long[] usage = new long[32];
        if (LIBRARY.getrusage(0, usage) != 0) throw new IllegalStateException("getrusage failed");
        return (usage[0] + usage[2]) * 1e3 + (usage[1] + usage[3]) / 1e3;
    }

    private static double median(List<Timing> timings, ToDoubleFunction<Timing> of) {
        double[] sorted = timings.stream().mapToDouble(of).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

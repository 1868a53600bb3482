import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands that test/bench/workload.ts writes: a line of JSON in 4096 bytes, then the columns, little-endian. */
final class Workload {
    static final int PLACE = 0;
    static final int IMMEDIATE = 1;
    static final int MARKET = 2;
    static final int CANCEL = 3;
    static final int MOVE = 4;

    final int assets;
    final int accounts;
    final int firstTimed;
    final int count;
    final byte[] op;
    final int[] order;
    final byte[] asset;
    final byte[] side;
    final int[] account;
    final int[] priceTicks;
    final int[] quantitySteps;
    /** Of all the commands: a market order goes to here, and a bid may be moved up to here. */
    final long highestTicks;
    final long lowestTicks;
    final long fills;
    final int depthChecksum;
    final int sweepChecksum;
    final long sweepSteps;

    static Workload read(Path path) throws IOException {
        return new Workload(ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN));
    }

    private Workload(ByteBuffer file) {
        byte[] line = new byte[4096];
        file.get(line);
        String header = new String(line, StandardCharsets.UTF_8);
        assets = (int) number(header, "assets");
        accounts = (int) number(header, "accounts");
        firstTimed = (int) number(header, "firstTimed");
        count = (int) number(header, "count");
        fills = number(header, "fills");
        depthChecksum = (int) number(header, "depthChecksum");
        sweepChecksum = (int) number(header, "sweepChecksum");
        sweepSteps = number(header, "sweepSteps");
        op = bytes(file);
        order = integers(file);
        asset = bytes(file);
        side = bytes(file);
        account = integers(file);
        priceTicks = integers(file);
        quantitySteps = integers(file);
        highestTicks = Arrays.stream(priceTicks).max().orElseThrow();
        lowestTicks = Arrays.stream(priceTicks).filter(ticks -> ticks > 0).min().orElseThrow();
    }

    private static long number(String header, String name) {
        Matcher matcher = Pattern.compile('"' + name + "\":(\\d+)").matcher(header);
        if (!matcher.find()) throw new IllegalArgumentException("the workload has no " + name);
        return Long.parseLong(matcher.group(1));
    }

    private byte[] bytes(ByteBuffer file) {
        byte[] column = new byte[count];
        file.get(column);
        return column;
    }

    private int[] integers(ByteBuffer file) {
        int[] column = new int[count];
        file.asIntBuffer().get(column);
        file.position(file.position() + Integer.BYTES * count);
        return column;
    }
}

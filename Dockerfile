# Leapnote: API and page in one container. See docs/deploying.md.
FROM python:3.11-slim

# pip takes the build of torch that its index offers. TORCH_INDEX names another index, such as one of builds for a GPU;
# the encoder runs on the processor either way.
ARG TORCH=torch==2.13.0
ARG TORCH_INDEX=

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    HF_HUB_OFFLINE=1 \
    HOME=/data \
    LEAPNOTE_DATA=/data \
    LEAPNOTE_HOST=0.0.0.0

# the PDF export writes more alphabets with this font; METEOR, of the evaluations, reads WordNet's synonyms
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core wordnet-base \
    && rm -rf /var/lib/apt/lists/*

RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin leapnote \
    && install --directory --owner=leapnote /data

WORKDIR /leapnote
COPY requirements.txt ./
RUN pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$TORCH" \
    && pip install "$TORCH" --requirement requirements.txt

COPY .streamlit ./.streamlit
COPY assets ./assets
COPY models ./models
COPY backend ./backend
COPY app ./app
# the program's own folder stays read-only for the user below, so its bytecode is written now
RUN python -m compileall -q app backend models

USER leapnote
VOLUME /data
EXPOSE 8501 8600
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=4 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ.get('LEAPNOTE_API_PORT', '8600') + '/v1/health', timeout=4)"]
CMD ["python", "-m", "backend", "up"]

"""What long notes are put together from: sentences in both languages, formulas, code; all with numbers left open."""

from __future__ import annotations

Pair = tuple[str, str]

SENTENCES: tuple[Pair, ...] = (
    (
        "作者把{a}放在训练循环里，而不是只在推理时打开，于是样本的分布跟着策略一起变化。",
        (
            "The authors put {a} inside the training loop instead of switching it on for inference only, so the"
            " distribution of samples moves with the policy."
        ),
    ),
    (
        "Table {n} 显示，当批量从 {n} 增加到 {l}，{a}带来的加速从 {n}.{m}× 降到不足 1.{m}×，曲线在中段就已经拐弯。",
        (
            "Table {n} shows that the speedup from {a} falls from {n}.{m}× to less than 1.{m}× as the batch grows from"
            " {n} to {l}; the curve bends well before the end."
        ),
    ),
    (
        "这里有一个容易忽略的假设：{a}需要两个模型的温度相同，否则上面的界不成立，附录 {n} 里的证明也用到了它。",
        (
            "One assumption is easily missed: {a} needs both models at the same temperature, or the bound above fails;"
            " the proof in Appendix {n} uses it too."
        ),
    ),
    (
        "我们在单机上重跑了这个实验，{a}的收益与论文一致，但方差大了约 {n} 倍，所以单次运行说明不了什么。",
        (
            "We ran the experiment again on one machine: the gain from {a} agrees with the paper, but its variance is"
            " about {n} times larger, so a single run says little."
        ),
    ),
    (
        "换句话说，{a}并没有改变最优解，它只是让走到那里的路更短。",
        "In other words, {a} does not change the optimum; it only makes the way there shorter.",
    ),
    (
        "和上一篇相比，最大的不同是{a}不再依赖单独的草稿模型，显存因此省下 {l}%，代价是{b}必须每一步都更新。",
        (
            "Compared with the previous note, {a} no longer depends on a separate draft model, which saves {l}% of"
            " memory; the price is that {b} has to be updated at every step."
        ),
    ),
    (
        "如果只记一件事，请记住**{a}的代价是常数**，而它的收益随长度增长。",
        "If you remember one thing: **the cost of {a} is constant**, while its benefit grows with length.",
    ),
    (
        "作者没有报告 {l} 张卡以上的结果，而这恰恰是{a}最可能失效的地方。",
        "The authors do not report results beyond {l} GPUs, which is exactly where {a} is most likely to fail.",
    ),
    (
        "从图 {n} 可以读出两个阶段：前 {l} 步里{a}占主导，之后{b}的影响越来越大，最后几乎完全接管。",
        (
            "Figure {n} shows two phases: in the first {l} steps {a} dominates, after that the influence of {b} grows"
            " until it takes over almost completely."
        ),
    ),
    (
        "消融里最有信息量的是去掉{a}的那一行：指标掉了 {n}.{m} 个点，而去掉{b}只掉了 0.{m} 个点。",
        (
            "The most informative row of the ablation is the one without {a}: it loses {n}.{m} points, while leaving"
            " out {b} costs only 0.{m}."
        ),
    ),
    (
        "需要注意的是，`num_steps={l}` 与 `top_k={n}` 是在验证集上挑的，换一个模型就要重新调。",
        (
            "Note that `num_steps={l}` and `top_k={n}` were chosen on the validation set; another model needs another"
            " search."
        ),
    ),
    (
        "这与*直觉相反*：通常认为{a}越强，{b}就越不重要，但这里两者的收益几乎可以相加。",
        (
            "This is *against intuition*: one would think that the stronger {a} is, the less {b} matters, yet here the"
            " two gains nearly add up."
        ),
    ),
    (
        "实现上只有 {l} 行，难点在于{a}的状态要和 KV 一起回滚，否则被拒绝的部分会污染后面的 {n} 步。",
        (
            "The implementation has only {l} lines; the hard part is that the state of {a} has to be rolled back"
            " together with the cache, or the rejected part spoils the next {n} steps."
        ),
    ),
    (
        "作者把这一现象归因于{b}，但没有做控制变量；我更倾向于认为是数据里 {l}% 的重复样本造成的。",
        (
            "The authors attribute this to {b} without a controlled comparison; I rather believe that the {l}% of"
            " duplicates in the data are the cause."
        ),
    ),
    (
        "在 7B 上，{a}使吞吐提高到 {n}.{m} 倍；在 70B 上只有 1.{m} 倍，因为瓶颈已经从计算变成了通信。",
        (
            "On 7B {a} raises throughput {n}.{m} times; on 70B only 1.{m} times, because the bottleneck has moved from"
            " computation to communication."
        ),
    ),
    (
        "严格地说，这里证明的是期望意义上的结论，对单条样本，{a}仍可能比基线差 {n} 倍以上。",
        (
            "Strictly speaking, what is proved here holds in expectation; for a single sample {a} may still be more"
            " than {n} times worse than the baseline."
        ),
    ),
)
INLINE = (
    r"\alpha_{{{i}}} = \min\bigl(1, p_{{{j}}}(x) / q_{{{j}}}(x)\bigr)",
    r"\theta_{{{i}}} \leftarrow \theta_{{{i}}} - {n}.{m}\,\nabla_\theta \mathcal{{L}}_{{{j}}}",
    r"O(n^{{{k}}} \log n_{{{i}}})",
    r"\hat{{r}}_{{{i},{j}}} = \sigma(w_{{{j}}}^\top h_{{{i}}} + b)",
    r"\lVert W_{{{i}}} - W_{{{j}}} \rVert_F \le {n}.{m}\,\epsilon",
    r"\pi_{{{i}}}(a \mid s) \propto \exp(Q_{{{j}}}(s, a) / \tau)",
    r"1 - (1 - \beta_{{{i}}})^{{{n}}} \approx 0.{m}{k}",
    r"x_{{{i}}} \sim \mathcal{{N}}(\mu_{{{j}}}, \sigma_{{{j}}}^2 I)",
    r"\Delta_{{{i}}} = \tfrac{{{n}}}{{{j}}}\,(t_{{{k}}} - t_0)",
    r"\gamma_{{{i}}} \in \{{1, \dots, {j}\}}",
)
DISPLAY = (
    (
        r"\mathcal{{L}}_{{{i}}}(\theta) = \mathbb{{E}}_{{x \sim q_{{{j}}}}}\left["
        r" \frac{{p_\theta(x)}}{{q_{{{j}}}(x)}} \log \frac{{p_\theta(x)}}{{p_{{{k}}}(x)}} \right]"
        r" + \lambda_{{{i}}} \sum_{{t=1}}^{{{n}}} \lVert h_t \rVert_2^2"
    ),
    (
        r"\nabla_\theta J_{{{i}}}(\theta) = \frac{{1}}{{{j}}} \sum_{{k=1}}^{{{j}}} \sum_{{t=0}}^{{T_{{{k}}}}}"
        r" \hat{{A}}_{{k,t}} \nabla_\theta \log \pi_\theta(a_{{k,t}} \mid s_{{k,t}})"
    ),
    (
        r"\operatorname{{Attn}}_{{{i}}}(Q, K, V) = \operatorname{{softmax}}\left("
        r" \frac{{Q K^\top}}{{\sqrt{{d_{{{j}}}}}}} + M_{{{k}}} \right) V"
    ),
    (
        r"\mathbb{{E}}[N_{{{i}}}] = \sum_{{k=0}}^{{{n}}} \alpha_{{{j}}}^k"
        r" = \frac{{1 - \alpha_{{{j}}}^{{{n} + 1}}}}{{1 - \alpha_{{{j}}}}} \le \frac{{1}}{{1 - 0.{m}{k}}}"
    ),
    (
        r"D_{{\mathrm{{KL}}}}\bigl(p_{{{i}}} \,\Vert\, q_{{{j}}}\bigr) = \int p_{{{i}}}(x) \ln"
        r" \frac{{p_{{{i}}}(x)}}{{q_{{{j}}}(x)}} \, dx \ge \frac{{{n}}}{{2}} \lvert \delta_{{{k}}} \rvert^2"
    ),
)
ALIGNED = (
    r"""\begin{{aligned}}
u_{{{i}}} &= \sigma\bigl( W_{{{j}}} [\, h_{{{i}}};\, e_{{{k}}} \,] \bigr) \\
v_{{{i}}} &= \begin{{cases}} u_{{{i}}} & t \le {n} \\ {n}.{m}\, u_{{{j}}} & t > {n} \end{{cases}}
\end{{aligned}}""",
    r"""\begin{{aligned}}
\Pr[A_{{{i}}}] &= \sum_{{x}} q_{{{j}}}(x) \min\left( 1, \frac{{p_{{{j}}}(x)}}{{q_{{{j}}}(x)}} \right) \\
&= 1 - \frac{{1}}{{2}} \sum_{{x}} \lvert p_{{{j}}}(x) - q_{{{j}}}(x) \rvert \ge 0.{m}{k}
\end{{aligned}}""",
    r"""\begin{{pmatrix}} a_{{{i}}} & b_{{{j}}} \\ c_{{{k}}} & {n}.{m} \end{{pmatrix}}
\begin{{pmatrix}} x_{{{i}}} \\ x_{{{j}}} \end{{pmatrix}}
= \lambda_{{{k}}} \begin{{pmatrix}} 1 \\ {n} \end{{pmatrix}}""",
)
"""The formula that is read line by line."""
CODE = """\
```python
def accept(draft: list[int], p: Tensor, q: Tensor, seed: int = {i}) -> list[int]:
    "Keep the longest prefix that the target agrees with."
    kept = []
    for step, token in enumerate(draft[:{n}]):
        if rand(seed + step) * q[step, token] > {n}.{m} * p[step, token]:
            break
        kept.append(token)
    return kept or [sample(relu(p[0] - q[0]))]
```
"""
